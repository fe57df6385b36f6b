import type { LookupAddress } from 'node:dns'
import { describe, expect, it } from 'vitest'
import { checkedLookup, isBlockedError, isPublicAddress } from './public-address'
import type { ResolveHost } from './resolve'

const look = (resolve: ResolveHost, all = true) =>
  new Promise<string | LookupAddress[]>((done, fail) => {
    checkedLookup(resolve)('name.test', { all }, (error, found) => (error ? fail(error) : done(found)))
  })

const fixed =
  (...addresses: string[]): ResolveHost =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))

describe('isPublicAddress', () => {
  it.each(['8.8.8.8', '1.1.1.1', '93.184.216.34', '2606:4700:4700::1111', '2a00:1450:4001:82a::200e'])(
    'passes %s',
    (ip) => {
      expect(isPublicAddress(ip)).toBe(true)
    },
  )

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '100.100.100.200',
    '127.0.0.1',
    '127.255.255.254',
    '168.63.129.16',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '192.168.1.1',
    '198.18.0.1',
    '198.51.100.1',
    '203.0.113.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::2',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::ffff:8.8.8.8',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b::808:808',
    '64:ff9b:1::1',
    '100::1',
    '2001::1',
    '2001:20::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '3fff::1',
    '4000::1',
    '5f00::1',
    'fc00::1',
    'fd00:ec2::254',
    'fe80::1',
    'fe80::1%eth0',
    '2606:4700::1%eth0',
    'fec0::1',
    'ff02::1',
    'localhost',
    '0x7f.1',
    '2130706433',
    '',
  ])('refuses %s', (ip) => {
    expect(isPublicAddress(ip)).toBe(false)
  })
})

describe('checkedLookup', () => {
  it('hands over exactly the addresses it checked', async () => {
    expect(await look(fixed('8.8.8.8', '2606:4700::1111'))).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ])
    expect(await look(fixed('8.8.8.8'), false)).toBe('8.8.8.8')
  })

  it('asks once, so that a second, different answer is never used', async () => {
    const answers = ['8.8.8.8', '127.0.0.1']
    let asked = 0
    const rebinding: ResolveHost = async () => [{ address: answers[asked++] ?? '127.0.0.1', family: 4 }]
    expect(await look(rebinding)).toEqual([{ address: '8.8.8.8', family: 4 }])
    expect(asked).toBe(1)
    await expect(look(rebinding)).rejects.toSatisfy(isBlockedError)
  })

  it('fails when one address of several is not public', async () => {
    await expect(look(fixed('8.8.8.8', '10.0.0.1'))).rejects.toSatisfy(isBlockedError)
    await expect(look(fixed('8.8.8.8', '::ffff:10.0.0.1'))).rejects.toSatisfy(isBlockedError)
  })

  it('fails when a name has no address', async () => {
    await expect(look(fixed())).rejects.toMatchObject({ code: 'ENOTFOUND' })
  })
})
