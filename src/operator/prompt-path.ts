import { fileURLToPath } from 'node:url';

/** Prompt of `enrich analysis`. The relative path works because sources and bundle are equally deep. */
export const PROMPT_PATH = fileURLToPath(new URL('../../prompts/creator-analysis.txt', import.meta.url));
