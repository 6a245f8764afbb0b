import { defineConfig } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

// One file that opens from a disk without a network: scripts and styles are put into the page.
export default defineConfig({
  plugins: [viteSingleFile()],
  build: { target: 'es2022', modulePreload: false, chunkSizeWarningLimit: 1500 },
});
