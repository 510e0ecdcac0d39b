import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { join } from 'node:path';
import { defineConfig } from 'vite';
import { compressed } from './compressed.ts';
import { fontPreload } from './font-preload.ts';
import { withoutLeftOut } from './left-out.ts';
import { routeChunks } from './route-chunks.ts';
import { lateStyles } from './late-styles.ts';
import { isScreenChunk, screenChunks } from './screen-chunks.ts';
import { sourceMaps } from './source-maps.ts';
import { strictXterm } from './xterm-styles.ts';

const root = import.meta.dirname;
const screen = screenChunks();
const hub = process.env['CORRAL_DEV_HUB'] ?? 'http://127.0.0.1:8080';

export default defineConfig({
  root,
  plugins: [
    // tsr.config.json, which `npm run generate` reads too, has the other options.
    tanstackRouter({ codeSplittingOptions: { splitBehavior: routeChunks } }),
    react(),
    tailwindcss(),
    withoutLeftOut(),
    strictXterm(),
    screen.plugin,
    compressed(),
    sourceMaps(),
    lateStyles(),
    fontPreload('atkinson-hyperlegible-next-latin-wght-normal'),
  ],
  // Keeps the browser's Host header, so that the hub's same-origin check sees the origin of the page.
  server: {
    proxy: {
      '/api': { target: hub, changeOrigin: false, ws: true },
      '/r/': { target: hub, changeOrigin: false },
    },
  },
  build: {
    outDir: join(root, 'dist'),
    // For tools/bundle-budget.ts; the hub does not serve .vite/.
    manifest: true,
    emptyOutDir: true,
    sourcemap: 'hidden',
    // data: URLs would need an exception in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // The hub's Link header preloads these files already.
      resolveDependencies: (_file, files) => files.filter((file) => !isScreenChunk.test(file)),
    },
    rolldownOptions: {
      output: { codeSplitting: { groups: screen.groups } },
    },
    target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
  },
});
