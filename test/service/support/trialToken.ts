/** An origin trial token with these claims. Its signature is no one's: only browsers check that. */
export function trialToken(claims: Record<string, unknown>, version = 3): string {
  const payload = Buffer.from(
    JSON.stringify({
      origin: 'https://tools.example:443',
      feature: 'WebMCP',
      expiry: Date.parse('2100-01-01') / 1_000,
      isThirdParty: true,
      ...claims,
    }),
  )
  const length = Buffer.alloc(4)
  length.writeUInt32BE(payload.byteLength)
  return Buffer.concat([Buffer.of(version), Buffer.alloc(64, 7), length, payload]).toString('base64')
}
