import {DEFAULT_SERVICE_ORIGIN, readServiceOrigin} from './serviceOrigin.ts'

/** The content that a Studio edits, fixed at build time. */
export type Target = {
  readonly projectId: string
  readonly dataset: string
  /**
   * The origin of an API without a host name for each project, or `/` for the server of Studio, which is a
   * lake. Undefined: hosted Sanity.
   */
  readonly apiHost: string | undefined
  /** The public origin of the service. The page that serves Studio may override it. */
  readonly serviceOrigin: string
}

const LOOPBACK = /\/\/(?:.*\.)?localhost\b|\/\/(?:127\.|0\.0\.0\.0|\[::1\])/

/**
 * Reads the target from environment variables: by default the lake that serves Studio.
 * @throws Error with one line, also for hosted Sanity without the address of the service
 */
export function readTarget(environment: Record<string, string | undefined>): Target {
  const projectId = environment.SANITY_PROJECT_ID || 'local'
  // Hosted Sanity has no project "local".
  const apiHost = environment.SANITY_API_HOST || (projectId === 'local' ? '/' : undefined)
  const serviceOrigin = readServiceOrigin(environment)
  if (apiHost === undefined && serviceOrigin === undefined)
    throw new Error(
      'SERVICE_ORIGIN is missing: set it to the public address of the service, such as https://tools.example. A Studio for hosted Sanity keeps it.',
    )
  if (apiHost === undefined && serviceOrigin !== undefined && LOOPBACK.test(serviceOrigin))
    throw new Error(
      `SERVICE_ORIGIN: ${serviceOrigin} leads each person to their own machine. A Studio for hosted Sanity needs the public address of the service.`,
    )
  return {
    projectId,
    dataset: environment.SANITY_DATASET || 'production',
    apiHost,
    serviceOrigin: serviceOrigin ?? DEFAULT_SERVICE_ORIGIN,
  }
}
