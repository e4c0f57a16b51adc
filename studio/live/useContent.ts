import {useClient} from 'sanity'
import {API_VERSION} from './apiVersion.ts'

/** A client for the content that this Studio edits. */
export function useContent() {
  return useClient({apiVersion: API_VERSION})
}
