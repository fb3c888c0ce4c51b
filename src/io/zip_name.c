/* Run while the build is set up: prints under which name the dynamic linker found libzip. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include <zip.h>

int main(void)
{
    Dl_info info;
    void *const symbol = dlsym(RTLD_DEFAULT, "zip_libzip_version");
    if (zip_libzip_version() == NULL || symbol == NULL || dladdr(symbol, &info) == 0) {
        return 1;
    }
    const char *const slash = strrchr(info.dli_fname, '/');
    const char *const name = slash != NULL ? slash + 1 : info.dli_fname;
    return strstr(name, "libzip") == name && printf("%s", name) > 0 ? 0 : 1;
}
