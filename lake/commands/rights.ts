import {errorMessage} from '../../common/errorMessage.ts'
import type {parseRights, Rights} from '../access/rights/rights.ts'

/**
 * The rights that `--role` and `--sites` give.
 * @param role by default publisher
 * @param sites ids of site documents, separated by commas; undefined for all sites
 * @throws Error with the text to print
 */
export function readRights(role = 'publisher', sites: string | undefined, parse: typeof parseRights): Rights {
  try {
    return parse([{role, sites: sites === undefined ? 'all' : sites.split(',').map((id) => id.trim())}])
  } catch (error) {
    throw new Error(`--role ${role}${sites === undefined ? '' : ` --sites ${sites}`}: ${errorMessage(error)}`)
  }
}
