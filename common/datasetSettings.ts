import {resolve} from 'node:path'
import {type CleanedEnv, makeValidator, str} from 'envalid'
import {secret} from './secretFiles.ts'
import {isLoopback, origin} from './settings.ts'

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
  SANITY_API_TOKEN: secret(str({default: undefined})),
  SERVICE_TOKEN_FILE: str({default: '.handrail/service-token'}),
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
    apiToken: env.SANITY_API_TOKEN,
    /** The file where a local lake stores a token for the service. Undefined with a token, and for other machines. */
    serviceTokenFile: hasTokenFile ? resolve(env.SERVICE_TOKEN_FILE) : undefined,
  }
}
