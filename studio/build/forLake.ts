import {existsSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {DEFAULT_SERVICE_ORIGIN} from '../serviceOrigin.ts'
import type {Target} from '../target.ts'
import {type Build, buildWhenStale, hasSources, isBuilt, type Log, root, unreadable} from './build.ts'

const directory = join(root, '.handrail/studio')

/** The project and dataset of a lake. */
type Content = {projectId: string; dataset: string}

/**
 * The setting that makes a lake serve Studio, if it can be built here, or was built for this content, as in
 * an image.
 */
export async function studioDir(lake: Content): Promise<{studioDir?: string}> {
  return isInstalled() || (await isBuilt(directory, targetOf(lake))) ? {studioDir: directory} : {}
}

/** Builds the Studio that a lake serves, in the background, unless it exists already. */
export function buildForLake(lake: Content, log: Log): Build {
  if (isInstalled()) return buildWhenStale(directory, targetOf(lake), log)
  return {done: tellOfNone(lake, log), close: async () => undefined}
}

async function tellOfNone(lake: Content, log: Log): Promise<void> {
  if (await isBuilt(directory, targetOf(lake))) return
  log.warn(`Studio is not available: ${await reason()}`)
}

async function reason(): Promise<string> {
  const problem = await unreadable(directory)
  if (problem !== undefined)
    return `${problem}. Give the folder to the user of the lake: "chown --recursive USER ${dirname(directory)}"`
  return hasSources()
    ? 'its packages are not installed. Run "npm ci && node_modules/.bin/node studio/build/main.ts" once; the build works without them'
    : 'this package has one for SANITY_PROJECT_ID=local and SANITY_DATASET=production. Unset both, or build another one in a clone of the project'
}

function targetOf({projectId, dataset}: Content): Target {
  // The lake adds both addresses to the page, so that one build works at any address.
  return {projectId, dataset, apiHost: '/', serviceOrigin: DEFAULT_SERVICE_ORIGIN}
}

/** Deployments of only the service omit the 750 MB of Studio's packages. */
function isInstalled(): boolean {
  return ['node_modules/sanity', 'studio/node_modules/sanity'].some((place) => existsSync(join(root, place)))
}
