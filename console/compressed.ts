import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Plugin } from 'vite';

const worthItBytes = 1024;
const text = /\.(?:js|css|svg)$/;

/** Writes each text file of the build a second time, as small as brotli can make it: the hub then sends it as it is. */
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
            if (!text.test(file.fileName) || source.length < worthItBytes) return;
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
