import {generateKeyPairSync, randomUUID, sign} from 'node:crypto'

/** A certificate that signs itself, and its key, as PEM. */
export type Certificate = {readonly cert: string; readonly key: string}

const HOUR = 3_600_000

/**
 * Makes a certificate for host names. https://www.rfc-editor.org/rfc/rfc5280
 * @param validFor milliseconds from now until it ends. It is valid since an hour before that, and since an hour before now.
 */
export function certificateFor(names: readonly string[], validFor = HOUR): Certificate {
  const {privateKey, publicKey} = generateKeyPairSync('ec', {namedCurve: 'P-256'})
  const name = sequence(
    tlv(0x31, sequence(COMMON_NAME, tlv(0x0c, Buffer.from(`test ${randomUUID().slice(0, 8)}`)))),
  )
  const validity = sequence(time(Date.now() + Math.min(0, validFor) - HOUR), time(Date.now() + validFor))
  const alternatives = names.map((host) => tlv(0x82, Buffer.from(host)))
  const extensions = sequence(
    sequence(BASIC_CONSTRAINTS, octets(sequence(tlv(0x01, Buffer.of(0xff))))),
    sequence(SUBJECT_ALTERNATIVE_NAME, octets(sequence(...alternatives))),
  )
  const certificate = sequence(
    tlv(0xa0, tlv(0x02, Buffer.of(2))),
    tlv(0x02, Buffer.of(1)),
    sequence(ECDSA_WITH_SHA256),
    name,
    validity,
    name,
    publicKey.export({type: 'spki', format: 'der'}),
    tlv(0xa3, extensions),
  )
  const signature = Buffer.concat([Buffer.of(0), sign('sha256', certificate, privateKey)])
  const der = sequence(certificate, sequence(ECDSA_WITH_SHA256), tlv(0x03, signature))
  const lines = der.toString('base64').replaceAll(/(.{64})(?=.)/g, '$1\n')
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({type: 'pkcs8', format: 'pem'}).toString(),
  }
}

const COMMON_NAME = oid(0x55, 0x04, 0x03)
const BASIC_CONSTRAINTS = oid(0x55, 0x1d, 0x13)
const SUBJECT_ALTERNATIVE_NAME = oid(0x55, 0x1d, 0x11)
const ECDSA_WITH_SHA256 = oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02)

function oid(...bytes: number[]): Buffer {
  return tlv(0x06, Buffer.from(bytes))
}

function octets(value: Buffer): Buffer {
  return tlv(0x04, value)
}

function sequence(...items: Buffer[]): Buffer {
  return tlv(0x30, Buffer.concat(items))
}

/** UTCTime, which has two digits of the year. */
function time(milliseconds: number): Buffer {
  const digits = new Date(milliseconds).toISOString().replaceAll(/\D/g, '').slice(2, 14)
  return tlv(0x17, Buffer.from(`${digits}Z`))
}

/** Tag, length and value of DER. */
function tlv(tag: number, value: Buffer): Buffer {
  const {length} = value
  if (length < 0x80) return Buffer.concat([Buffer.of(tag, length), value])
  return Buffer.concat([Buffer.of(tag, 0x82, length >> 8, length & 0xff), value])
}
