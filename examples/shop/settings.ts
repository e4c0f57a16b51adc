import {cleanEnv, makeExactValidator, str} from 'envalid'

/** Settings of the demo shop, read once at startup. */
export type ShopSettings = {
  host: string
  /** 0 lets the system choose a free port. */
  port: number
}

const port = makeExactValidator<number>((text) => {
  if (!/^\d+$/.test(text) || Number(text) > 65_535)
    throw new Error(`"${text}" is not a port number, 0 to 65535.`)
  return Number(text)
})

/**
 * Reads the shop's settings from environment variables. An empty variable counts as unset.
 * @throws Error with one line that names every invalid variable
 */
export function readShopSettings(environment: NodeJS.ProcessEnv): ShopSettings {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const env = cleanEnv(
    given,
    {SHOP_HOST: str({default: '127.0.0.1'}), SHOP_PORT: port({default: 3001})},
    {
      reporter: ({errors}) => {
        const problems = Object.entries(errors).map(([name, problem]) => `${name}: ${problem?.message}`)
        if (problems.length > 0) throw new Error(`Invalid configuration: ${problems.join(' ')}`)
      },
    },
  )
  return {host: env.SHOP_HOST, port: env.SHOP_PORT}
}
