import { readFileSync } from 'node:fs';

/** Reads the guide for integrators. The relative path works because sources and bundle are equally deep. */
export const readGuide = (): string => readFileSync(new URL('../../docs/guide.md', import.meta.url), 'utf8');
