import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  base: '/settings/',
  plugins: [react()],
  build: {
    // Everything comes from the service itself, as files: its policy admits no data: addresses.
    assetsInlineLimit: 0,
    // One file for the whole area: it is small, and kept by the browser until it changes.
    chunkSizeWarningLimit: 900,
  },
  server: { proxy: { '/settings/api': process.env.SETTINGS_SERVICE ?? 'http://127.0.0.1:3000' } },
})
