import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Plugin } from 'vite';

const minBytes = 1024;
const text = /\.(?:js|css|svg)$/;

/** Writes a brotli-compressed copy of each text file of the build, which the hub serves as it is. */
export function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        await Promise.all(
          Object.values(bundle).map(async (file) => {
            const source = Buffer.from(file.type === 'chunk' ? file.code : file.source);
            if (!text.test(file.fileName) || source.length < minBytes) return;
            const params = { [constants.BROTLI_PARAM_SIZE_HINT]: source.length };
            const small = await asBrotli(source, { params });
            this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: small });
          }),
        );
      },
    },
  };
}

const asBrotli = promisify(brotliCompress);
