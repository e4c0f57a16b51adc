import {DEFAULT_SERVICE_ORIGIN, readServiceOrigin} from './serviceOrigin.ts'

/** Which content a Studio edits, fixed when it is built. */
export type Target = {
  readonly projectId: string
  readonly dataset: string
  /**
   * Where the API answers without a project's own host name: an origin, or `/` for the one that serves Studio, which
   * is a lake. Undefined: Sanity's own API.
   */
  readonly apiHost: string | undefined
  /** Where browsers reach the service that serves the content to pages. The page that serves Studio may know better. */
  readonly serviceOrigin: string
}

/** Reads the target from environment variables: by default the lake that serves Studio. */
export function readTarget(environment: Record<string, string | undefined>): Target {
  const projectId = environment.SANITY_PROJECT_ID || 'local'
  return {
    projectId,
    dataset: environment.SANITY_DATASET || 'production',
    // Sanity's API knows no project "local".
    apiHost: environment.SANITY_API_HOST || (projectId === 'local' ? '/' : undefined),
    serviceOrigin: readServiceOrigin(environment) ?? DEFAULT_SERVICE_ORIGIN,
  }
}
