import {isIP} from 'node:net'
import {compile} from '@fastify/proxy-addr'
import {type CleanedEnv, cleanEnv, makeExactValidator, str} from 'envalid'
import {errorMessage} from './errorMessage.ts'
import {valuesOf} from './secret.ts'
import {readSecretFiles} from './secretFiles.ts'

/**
 * Reads settings from environment variables, and secrets also from files. An empty variable counts as not set.
 * @throws Error with one line that names every invalid variable
 */
export function readSettings<S extends object>(environment: NodeJS.ProcessEnv, specs: S): CleanedEnv<S> {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const {values, problems} = readSecretFiles(environment, specs)
  return cleanEnv({...given, ...values}, specs, {
    reporter: ({errors}) => {
      const lines = [
        ...problems,
        ...Object.entries(errors).map(([name, error]) => `${name}: ${errorMessage(error)}`),
      ]
      if (lines.length > 0) throw new Error(`Invalid configuration: ${lines.join(' ')}`)
    },
  })
}

/** Refuses words on the command line of a program that has none. @throws Error with one line */
export function refuseArguments(words: readonly string[]): void {
  if (words.length > 0)
    throw new Error(
      `“${words.join(' ')}” is not understood: settings are environment variables, see docs/configuration.md.`,
    )
}

/** A secret that can be replaced without a break: {@link valuesOf} reads its values. The error repeats nothing. */
export const replaceableSecret = makeExactValidator<string>((text) => {
  const {length} = valuesOf(text)
  if (length !== 1 && length !== 2)
    throw new Error('it must be one value without spaces, or a new one and the one from before.')
  return text
})

/** The content repository, with the token for a service on the same machine. */
export const contentDir = str({default: '.handrail/content.git'})

/** A whole number. */
export function integer(min: number, max: number) {
  return makeExactValidator<number>((text) => {
    const value = Number(text)
    if (!/^\d+$/.test(text) || value < min || value > max)
      throw new Error(`"${text}" is not a whole number from ${min} to ${max}.`)
    return value
  })
}

/** A port. 0 lets the system choose a free one. */
export const port = integer(0, 65_535)

/** The origin of a URL, such as `https://lake.example`. A trailing slash is dropped. */
export const origin = makeExactValidator<string>((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.origin !== text.replace(/\/$/, ''))
    throw new Error(`"${text}" is not an address like https://lake.example or http://localhost:3333.`)
  return url.origin
})

/** Whether an address is on this machine, so that requests to it cannot be read on a network. */
export function isLoopback({hostname}: URL): boolean {
  return (
    hostname === 'localhost' || hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'))
  )
}

/** Addresses, networks (`10.0.0.0/8`) and their names (`loopback`), separated by commas. */
export const proxies = makeExactValidator<string[]>((text) => {
  const list = text.split(',').map((item) => item.trim())
  for (const item of list) {
    try {
      compile(item)
    } catch {
      throw new Error(
        `"${item}" is not an address, a network like 10.0.0.0/8, or one of loopback, linklocal, uniquelocal.`,
      )
    }
  }
  return list
})
