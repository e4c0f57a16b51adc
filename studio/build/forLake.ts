import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {DEFAULT_SERVICE_ORIGIN} from '../serviceOrigin.ts'
import {type Build, buildWhenStale, type Log, root} from './build.ts'

const directory = join(root, '.handrail/studio')

/** The setting that has a lake serve Studio, where its packages are installed. */
export function studioDir(): {studioDir?: string} {
  return isInstalled() ? {studioDir: directory} : {}
}

/** Builds the Studio that a lake serves, in the background, unless it is there already. */
export function buildForLake(lake: {projectId: string; dataset: string}, log: Log): Build {
  if (!isInstalled()) {
    log.info('no Studio here: its packages are not installed ("npm ci" installs them)')
    return {done: Promise.resolve(), close: async () => undefined}
  }
  const {projectId, dataset} = lake
  // The lake's page says where both are, so that one build serves wherever they move.
  const target = {projectId, dataset, apiHost: '/', serviceOrigin: DEFAULT_SERVICE_ORIGIN}
  return buildWhenStale(directory, target, log)
}

/** A deployment of the service alone goes without the 750 MB that Studio is made of. */
function isInstalled(): boolean {
  return ['node_modules/sanity', 'studio/node_modules/sanity'].some((place) => existsSync(join(root, place)))
}
