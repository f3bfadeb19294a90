// @ts-check
// Last step of a build: bundles each program. Reading 2,300 modules one by one would take more than half of a start.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { BUNDLING, COMPILED, threads, withoutOtherDrivers } from './bundling.mjs';
import { ROOT } from './prepare.mjs';

await build({
  ...BUNDLING,
  entryPoints: [
    ...['main', 'cli', 'operator/first-run'].map((program) => join(COMPILED, `${program}.js`)),
    ...threads(),
  ],
  outdir: join(ROOT, 'dist/bundle'),
  // Keep dynamic imports in separate chunks.
  splitting: true,
  plugins: [withoutOtherDrivers],
  sourcemap: true,
  sourcesContent: false,
});

// The service reads its pages from the program's folder.
cpSync(join(ROOT, 'src/server/pages/assets'), join(ROOT, 'dist/bundle/assets'), { recursive: true });
