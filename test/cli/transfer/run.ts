import {token} from '../../lake/support/app.ts'
import {content, type Ran} from '../support/run.ts'

export type {Ran}

/** Runs an export or import. The error of one that cannot run is the message alone. */
export async function transfer(
  name: 'export' | 'import',
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<Ran> {
  const ran = await content([name, ...args], '/', environment)
  return ran.code === 2 ? {...ran, error: ran.error.replace(`content ${name}: `, '').trimEnd()} : ran
}

export const page = (id: string, more: object = {}) => ({_id: id, _type: 'page', ...more})

/** The settings of a command that reads or writes the dataset of a lake. */
export const environmentOf = ({address}: {address: string}) => ({
  SANITY_API_HOST: address,
  SANITY_API_TOKEN: token,
})
