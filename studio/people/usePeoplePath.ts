import {useWorkspace} from 'sanity'

/** The address of “Your account” in this Studio. */
export function usePeoplePath(): string {
  const {basePath} = useWorkspace()
  return `${basePath.replace(/\/$/, '')}/people/account`
}
