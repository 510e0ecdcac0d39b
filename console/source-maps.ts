import { basename } from 'node:path';
import type { Plugin } from 'vite';

/** Moves the source maps of the build to `.source-maps/`, which the hub does not serve; they lead from an error report to the source. */
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
