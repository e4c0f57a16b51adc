import {accept, type Parsed, refuse} from '../../schemas/rules/parsed.ts'
import type {Word} from './shellWords.ts'

/** What stands after `curl`: addresses, and options by their long names. */
export type CurlOptions = {
  readonly addresses: Word[]
  readonly named: (readonly [name: string, value: Word])[]
}

/** Options of one letter that take a value, as in `-XPOST` and `-X POST`: https://curl.se/docs/manpage.html */
const LETTERS_WITH_VALUE = 'AbCcDdEeFHKmoPQrTtUuwXxYyz'

/** The long names of letters that decide about a request. */
const LONG_NAMES: ReadonlyMap<string, string> = new Map([
  ['X', '--request'],
  ['H', '--header'],
  ['d', '--data'],
  ['F', '--form'],
  ['T', '--upload-file'],
  ['u', '--user'],
  ['b', '--cookie'],
  ['G', '--get'],
  ['I', '--head'],
  ['K', '--config'],
  ['g', '--globoff'],
  [':', '--next'],
])

/** Long options that take a value, without their dashes. */
const WITH_VALUE: ReadonlySet<string> = new Set(
  `abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config connect-timeout connect-to
  continue-at cookie cookie-jar create-file-mode crlfile curves data data-ascii data-binary data-raw data-urlencode
  delegation dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers doh-url dump-header ech egd-file engine etag-compare
  etag-save expect100-timeout form form-string ftp-account ftp-alternative-to-user ftp-method ftp-port ftp-ssl-ccc-mode
  happy-eyeballs-timeout-ms haproxy-clientip header hostpubmd5 hostpubsha256 hsts interface ip-tos ipfs-gateway json
  keepalive-cnt keepalive-time key key-type knownhosts krb libcurl limit-rate local-port login-options mail-auth
  mail-from mail-rcpt max-filesize max-redirs max-time netrc-file noproxy oauth2-bearer output output-dir parallel-max
  parallel-max-host pass pinnedpubkey preproxy proto proto-default proto-redir proxy proxy-cacert proxy-capath proxy-cert
  proxy-cert-type proxy-ciphers proxy-crlfile proxy-header proxy-key proxy-key-type proxy-pass proxy-pinnedpubkey
  proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser proxy-user proxy1.0 pubkey
  quote random-file range rate referer request request-target resolve retry retry-delay retry-max-time sasl-authzid
  service-name sigalgs socks4 socks4a socks5 socks5-gssapi-service socks5-hostname speed-limit speed-time ssl-sessions
  stderr telnet-option tftp-blksize time-cond tls-max tls13-ciphers tlsauthtype tlspassword tlsuser trace trace-ascii
  trace-config unix-socket upload-file upload-flags url url-query user user-agent variable vlan-priority write-out`.split(
    /\s+/,
  ),
)

/** Reads the words after `curl`. */
export function curlOptionsOf(words: readonly Word[]): Parsed<CurlOptions> {
  const options: CurlOptions = {addresses: [], named: []}
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? {text: ''}
    const text = withDashes(word.text)
    if (!text.startsWith('-') || text === '-') {
      options.addresses.push(word)
      continue
    }
    const {flags, option, attached} = text.startsWith('--') ? longOption(text) : letters(text)
    for (const flag of flags) options.named.push([flag, {text: ''}])
    if (option === undefined) continue
    const value = attached === '' ? words[at + 1] : {...word, text: attached}
    if (value === undefined) return refuse(`The command ends after ${word.text}: copy all of it.`)
    if (attached === '') at += 1
    options.named.push([option, value])
  }
  return accept(options)
}

type Read = {readonly flags: readonly string[]; readonly option?: string; readonly attached: string}

function longOption(text: string): Read {
  const [, name = '', attached = ''] = /^--([^=]*)=?(.*)$/s.exec(text) ?? []
  return WITH_VALUE.has(name) ? {flags: [], option: `--${name}`, attached} : {flags: [text], attached: ''}
}

/** Letters without a value, then at most one with a value, as in `-sXPOST`. */
function letters(text: string): Read {
  const all = [...text.slice(1)]
  const at = all.findIndex((letter) => LETTERS_WITH_VALUE.includes(letter))
  const named = all.map((letter) => LONG_NAMES.get(letter) ?? `-${letter}`)
  const option = named[at]
  return option === undefined
    ? {flags: named, attached: ''}
    : {flags: named.slice(0, at), option, attached: all.slice(at + 1).join('')}
}

/** Word processors make one dash of two, and a longer one of one. */
function withDashes(text: string): string {
  const [, rest] = /^[\u2010-\u2015\u2212](.+)$/s.exec(text) ?? []
  if (rest === undefined) return text
  return /^[a-z][a-z\d-]{2,}$/.test(rest) ? `--${rest}` : `-${rest}`
}
