import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { join } from 'node:path';
import { defineConfig } from 'vite';

const root = import.meta.dirname;

export default defineConfig(({ isSsrBuild }) => ({
  root,
  // Pages get relative addresses when they are written.
  base: isSsrBuild === true ? '/' : './',
  publicDir: false,
  plugins: [react(), tailwindcss()],
  resolve: { alias: { '@tanstack/react-router': join(root, 'router-links.tsx') } },
  ssr: { noExternal: true },
  build: {
    assetsInlineLimit: 0,
    modulePreload: false,
    emptyOutDir: true,
    ssrEmitAssets: true,
    cssCodeSplit: false,
    rolldownOptions: {
      input: join(root, isSsrBuild === true ? 'render-site.tsx' : 'client.ts'),
      output: {
        entryFileNames: isSsrBuild === true ? '[name].mjs' : 'assets/site.js',
        chunkFileNames: 'chunks/[name]-[hash].mjs',
        // Their folder is that of the version, so that names need no digest.
        assetFileNames: ({ names }) =>
          `assets/${names[0]?.endsWith('.css') === true ? 'site.css' : '[name][extname]'}`,
      },
    },
    target: ['chrome123', 'edge123', 'firefox128', 'safari17.5'],
  },
}));
