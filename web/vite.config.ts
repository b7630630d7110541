import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// `base: './'` keeps every asset relative; the server's <base href> decides the path prefix at run time.
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react()],
  // The contract's schemas are for the server; see noSchemas.ts.
  resolve: { alias: { zod: join(import.meta.dirname, 'src/lib/noSchemas.ts') } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3334', '/ws': { target: 'ws://127.0.0.1:3334', ws: true } } },
})
