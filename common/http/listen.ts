import type {FastifyInstance} from 'fastify'

type ListenOptions = {
  readonly host: string
  readonly port: number
  /** The variable that sets the port, for the error. */
  readonly portName: string
  /** The line of the log that says what listens at an address. */
  readonly describe: (address: string) => string
}

/** Error codes about the address, as opposed to the port. */
const ABOUT_HOST: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL', 'EINVAL'])

/**
 * Starts a server and returns its address. Closes the server if it cannot listen.
 * @throws Error with one line that says what to do
 */
export async function listen(
  app: FastifyInstance,
  {host, port, portName, describe}: ListenOptions,
): Promise<string> {
  try {
    // In a URL, an IPv6 address has brackets; here, it has none.
    const bare = host.replace(/^\[(.*)\]$/, '$1')
    const address = await app.listen({host: bare, port, listenTextResolver: describe})
    // Pages and Studio receive this address, and browsers cannot connect to "any".
    return address.replace('//[::]:', '//localhost:')
  } catch (error) {
    await app.close()
    const code = error instanceof Error && 'code' in error ? error.code : error
    throw new Error(
      code === 'EADDRINUSE'
        ? `${portName} ${port} is in use: stop the other program, or choose another port.`
        : `Cannot listen on ${host}:${port} (${String(code)}): see ${ABOUT_HOST.has(code) ? portName.replace('PORT', 'HOST') : portName}.`,
    )
  }
}
