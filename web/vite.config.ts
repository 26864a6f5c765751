import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { precompress } from './precompress.ts'
import { referenceScript } from './reference-script.ts'

export default defineConfig({
  base: '/settings/',
  plugins: [react(), referenceScript(), precompress()],
  build: {
    // The page's content security policy allows no data: URLs, so every asset is a file.
    assetsInlineLimit: 0,
    // One file for the whole page: it is small, and the browser caches it until it changes.
    chunkSizeWarningLimit: 900,
  },
  server: { proxy: { '/settings/api': process.env.SETTINGS_SERVICE ?? 'http://127.0.0.1:3000' } },
})
