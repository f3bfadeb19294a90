import { addCopyButtons, fillExamples } from './examples.js';

fillExamples();
addCopyButtons('pre.command');
