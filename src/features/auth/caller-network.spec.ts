import { describe, expect, it } from '@jest/globals';
import { networkOf } from './caller-network.js';

describe('networkOf', () => {
  it.each(['192.0.2.1', '0.0.0.0', '', 'unknown', '2001:db8::1::2', '12345::'])(
    'leaves what is no IPv6 address as it is: %j',
    (address) => expect(networkOf(address)).toBe(address),
  );

  it.each([
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002:3::4', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:0:0:1::', '2001:db8:0:0::/64'],
    ['2001:db8:1:2:3:4:192.0.2.1', '2001:db8:1:2::/64'],
    ['2001::1:2:3:4:5', '2001:0:0:1::/64'],
    ['2001:1::2:3:4:192.0.2.1', '2001:1:0:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::ffff:0:192.0.2.1', '0:0:0:0::/64'],
  ])('gives the /64 of %s', (address, network) => expect(networkOf(address)).toBe(network));

  it.each(['::ffff:192.0.2.1', '::FFFF:192.0.2.1', '::ffff:c000:201', '0:0:0:0:0:ffff:c000:0201', '0::ffff:192.0.2.1'])(
    'takes the mapped address %s for the one of IPv4',
    (address) => expect(networkOf(address)).toBe('192.0.2.1'),
  );

  it.each([
    ['192.0.2.1:443', '192.0.2.1'],
    ['[2001:db8:1:2::1]:443', '2001:db8:1:2::/64'],
    ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
    ['[::ffff:192.0.2.1]:443', '192.0.2.1'],
  ])('ignores the port of %s', (address, network) => expect(networkOf(address)).toBe(network));

  it('does not take other addresses for mapped ones', () => {
    for (const address of ['::fffe:c000:201', '1::ffff:c000:201', '::1:ffff:c000:201', '::ffff:c000']) {
      expect(networkOf(address)).toMatch(/::\/64$/);
    }
  });
});
