import type { WriteStream } from 'node:tty';
import picocolors from 'picocolors';

type Colours = ReturnType<typeof picocolors.createColors>;

/** Colours on a terminal that takes them (`NO_COLOR`, `TERM=dumb`), plain text anywhere else. */
export const colours = (stream: Partial<Pick<WriteStream, 'isTTY'>>): Colours =>
  picocolors.createColors(stream.isTTY === true && picocolors.isColorSupported);
