import {type CleanedEnv, makeValidator} from 'envalid'
import {valuesOf} from './secret.ts'
import {secret} from './secretFiles.ts'
import {serviceTokenFileOf} from './serviceToken.ts'
import {contentDir, isLoopback, origin, replaceableSecret} from './settings.ts'

/** Where a dataset is, and with what it is accessed. */
export type DatasetSettings = Readonly<ReturnType<typeof datasetSettings>>

/** The project ID of a local lake. */
const LOCAL_PROJECT = 'local'

const projectId = makeValidator<string>((text) => {
  if (!/^[a-z0-9-]{1,64}$/.test(text))
    throw new Error(`"${text}" is not a project ID of lower-case letters, digits and dashes.`)
  return text
})

const dataset = makeValidator<string>((text) => {
  if (!/^[a-z0-9_-]{1,64}$/.test(text))
    throw new Error(`"${text}" is not a dataset name: use lower-case letters, digits, "_" and "-".`)
  return text
})

/** The variables of every program that reads a dataset, for `readSettings`. */
export const DATASET_VARIABLES = {
  SANITY_PROJECT_ID: projectId({default: LOCAL_PROJECT}),
  SANITY_DATASET: dataset({default: 'production'}),
  SANITY_API_HOST: origin({default: undefined}),
  SANITY_API_TOKEN: secret(replaceableSecret({default: undefined})),
  CONTENT_DIR: contentDir,
}

/** Derives the dataset from variables, with the defaults of a lake on this machine. */
export function datasetSettings(env: CleanedEnv<typeof DATASET_VARIABLES>) {
  const isLocal = env.SANITY_PROJECT_ID === LOCAL_PROJECT
  const apiHost = env.SANITY_API_HOST ?? (isLocal ? 'http://localhost:3333' : undefined)
  // Never send the token of the local lake to another machine.
  const isOnThisMachine = apiHost !== undefined && isLoopback(new URL(apiHost))
  const hasTokenFile = env.SANITY_API_TOKEN === undefined && isLocal && isOnThisMachine
  return {
    projectId: env.SANITY_PROJECT_ID,
    dataset: env.SANITY_DATASET,
    /** The Content Lake's address without a trailing slash. Undefined for hosted Sanity, whose host name contains the project ID. */
    apiHost,
    apiToken: valuesOf(env.SANITY_API_TOKEN)[0],
    /** The file where a local lake stores a token for the service. Undefined with a token, and for other machines. */
    serviceTokenFile: hasTokenFile ? serviceTokenFileOf(env.CONTENT_DIR) : undefined,
  }
}
