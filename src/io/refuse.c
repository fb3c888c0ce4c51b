/* Files that people have at hand and that are not read: each is named, with what to do instead. */
#include <string.h>

#include "parts.h"

const char io_pickle_advice[] =
    "(a pickle runs code when it is read; in Python: sd = torch.load(FILE, map_location='cpu'); "
    "numpy.savez('weights.npz', **{k: v.float().numpy() for k, v in sd.items()}))";

struct known {
    const char *what;
    size_t at; /**< Where its mark stands. */
    const char *mark;
    size_t length;
    const char *advice;
};

static const char unpack_advice[] = "(unpack it, and load the .npz, .npy or other file in it)";

static const struct known known[] = {
    {"a pickle, or a PyTorch checkpoint of the older kind", 0, "\x80\x02", 2, io_pickle_advice},
    {"a pickle", 0, "\x80\x03", 2, io_pickle_advice},
    {"a pickle", 0, "\x80\x04", 2, io_pickle_advice},
    {"a pickle", 0, "\x80\x05", 2, io_pickle_advice},
    {"a git-lfs pointer, not the file itself", 0, "version https://git-lfs", 23,
     "(fetch it with: git lfs pull)"},
    {"packed with gzip", 0, "\x1f\x8b", 2, "(unpack it with gunzip, or tar xzf)"},
    {"packed with bzip2", 0, "BZh", 3, "(unpack it with bunzip2)"},
    {"packed with xz", 0,
     "\xfd"
     "7zXZ\0",
     6, "(unpack it with unxz)"},
    {"packed with zstd", 0, "\x28\xb5\x2f\xfd", 4, "(unpack it with unzstd)"},
    {"a 7z archive", 0, "7z\xbc\xaf\x27\x1c", 6, unpack_advice},
    {"a RAR archive", 0, "Rar!\x1a\x07", 6, unpack_advice},
    {"a tar archive", 257, "ustar", 5, unpack_advice},
    {"an HDF5 file", 0, "\x89HDF\r\n\x1a\n", 8,
     "(in Python: with h5py.File(FILE) as f: numpy.savez('weights.npz', x=f['x'][()]))"},
    {"a MATLAB file", 0, "MATLAB 5.0", 10,
     "(in Python: numpy.savez('weights.npz', x=scipy.io.loadmat(FILE)['x']))"},
    {"a GGUF model", 0, "GGUF", 4, "(save the layer's weights as .safetensors or .npz)"},
    {"a Parquet table", 0, "PAR1", 4,
     "(in Python: pandas.read_parquet(FILE).to_csv('x.csv', "
     "header=False, index=False))"},
    {"text in UTF-16", 0, "\xff\xfe", 2, "(save it as UTF-8: iconv -f UTF-16 -t UTF-8)"},
    {"text in UTF-16", 0, "\xfe\xff", 2, "(save it as UTF-8: iconv -f UTF-16 -t UTF-8)"},
    {"a web page, not the file itself", 0, "<!DOCTYPE", 9, "(download the raw file)"},
    {"a web page, not the file itself", 0, "<!doctype", 9, "(download the raw file)"},
    {"a web page, not the file itself", 0, "<html", 5, "(download the raw file)"},
};

enum attn_status io_refuse_known(const struct io_archive *archive, const unsigned char *bytes,
                                 size_t size, struct attn_error *err)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const struct known *const row = &known[i];
        if (size >= row->at + row->length && memcmp(bytes + row->at, row->mark, row->length) == 0) {
            return io_fail(archive, NULL, err, ATTN_E_UNSUPPORTED, "it is %s %s", row->what,
                           row->advice);
        }
    }
    return ATTN_OK;
}
