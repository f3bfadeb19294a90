import { isIPv6 } from 'node:net';

/** Matches an address with a port, as some proxies write `X-Forwarded-For`: `192.0.2.1:443`, `[2001:db8::1]:443`. */
const WITH_PORT = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/;

/**
 * Returns the network by which an address is counted: the /64 of an IPv6 address, because one host usually owns the whole
 * /64; an IPv4 address unchanged, also if IPv4-mapped (`::ffff:192.0.2.1`). Ignores a port.
 */
export function networkOf(forwarded: string): string {
  const [, bracketed, plain] = WITH_PORT.exec(forwarded) ?? [];
  const address = bracketed ?? plain ?? forwarded;
  if (!isIPv6(address)) return address;
  const groups = groupsOf(address);
  const [a = 0, b = 0] = groups.slice(6);
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return [a >> 8, a & 255, b >> 8, b & 255].join('.');
  const prefix = groups.slice(0, 4).map((group) => group.toString(16));
  return `${prefix.join(':')}::/64`;
}

/** Returns the eight 16-bit groups of a valid IPv6 address. */
function groupsOf(address: string): number[] {
  const [text = ''] = address.split('%');
  const [head = [], tail] = text.split('::').map((half) => (half === '' ? [] : half.split(':').flatMap(valuesOf)));
  return tail === undefined ? head : [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

/** Returns the groups of one part: two for an embedded IPv4 address, otherwise one. */
function valuesOf(part: string): number[] {
  if (!part.includes('.')) return [Number.parseInt(part, 16)];
  const [a = 0, b = 0, c = 0, d = 0] = part.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
}
