import { createHash } from 'node:crypto';
import { defineConfig, type Plugin } from 'vite';
import { viteSingleFile } from 'vite-plugin-singlefile';

/** A policy in the page: it runs its own script, known by its hash, and loads nothing. What was measured could never run. */
const policy: Plugin = {
  name: 'content-security-policy',
  enforce: 'post',
  generateBundle: {
    // After the script was put into the page.
    order: 'post',
    handler(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type !== 'asset' || !file.fileName.endsWith('.html')) continue;
        const page = `${file.source}`;
        const scripts = [...page.matchAll(/<script(?![^>]*application\/json)[^>]*>([\s\S]*?)<\/script>/g)].map(
          ([, text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`,
        );
        const content =
          `default-src 'none'; script-src ${scripts.join(' ')}; style-src 'unsafe-inline'; ` +
          `img-src data:; base-uri 'none'; form-action 'none'`;
        file.source = page.replace(
          '<meta charset="utf-8">',
          `<meta charset="utf-8">\n    <meta http-equiv="Content-Security-Policy" content="${content}">`,
        );
      }
    },
  },
};

// One file that opens from a disk without a network: scripts and styles are put into the page.
export default defineConfig({
  plugins: [viteSingleFile(), policy],
  build: { target: 'es2022', modulePreload: false, chunkSizeWarningLimit: 1500 },
});
