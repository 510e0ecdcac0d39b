import { basename } from 'node:path';
import type { Plugin } from 'vite';

/**
 * Moves the source maps of the build to `.source-maps/`, beside the scripts that they belong to. They lead from a position in an error
 * report to the source; the hub serves no file below a folder whose name begins with a dot, so browsers never load them.
 */
export function sourceMaps(): Plugin {
  return {
    name: 'source-maps',
    apply: 'build',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        for (const [name, file] of Object.entries(bundle)) {
          if (file.type !== 'asset' || !name.endsWith('.js.map')) continue;
          delete bundle[name];
          const fileName = `.source-maps/${basename(name)}`;
          this.emitFile({ type: 'asset', fileName, source: file.source });
        }
      },
    },
  };
}
