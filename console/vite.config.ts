import tailwindcss from '@tailwindcss/vite';
import { tanstackRouter } from '@tanstack/router-plugin/vite';
import react from '@vitejs/plugin-react';
import { join } from 'node:path';
import { defineConfig } from 'vite';
import { compressed } from './compressed.ts';
import { fontPreload } from './font-preload.ts';
import { isScreenChunk, screenChunks } from './screen-chunks.ts';

const root = import.meta.dirname;
const screen = screenChunks();
const hub = process.env['CORRAL_DEV_HUB'] ?? 'http://127.0.0.1:8080';

export default defineConfig({
  root,
  plugins: [
    tanstackRouter({
      target: 'react',
      autoCodeSplitting: true,
      routesDirectory: join(root, 'src/routes'),
      generatedRouteTree: join(root, 'src/route-tree.gen.ts'),
      routeFileIgnorePattern: '\\.test\\.',
      addExtensions: true,
      quoteStyle: 'single',
      semicolons: true,
    }),
    react(),
    tailwindcss(),
    screen.plugin,
    compressed(),
    fontPreload('atkinson-hyperlegible-next-latin-wght-normal'),
  ],
  // Host stays as the browser sent it, so that the hub's same-origin check sees the page's own origin.
  server: { proxy: { '/api': { target: hub, changeOrigin: false, ws: true } } },
  build: {
    outDir: join(root, 'dist'),
    emptyOutDir: true,
    manifest: 'manifest.json',
    // A data: address would need its own hole in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      // What the hub has announced is on its way already.
      resolveDependencies: (_file, files) => files.filter((file) => !isScreenChunk.test(file)),
    },
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: screen.chunkOf, debugName: 'screens' }] } },
    },
    target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
  },
});
