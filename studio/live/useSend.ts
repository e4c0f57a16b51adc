import type {SanityClient} from '@sanity/client'
import {useToast} from '@sanity/ui/toast'
import {useState} from 'react'
import {errorWords} from '../saving/errorWords.ts'
import {useContent} from './useContent.ts'

/** Sends something to the lake and says whether that worked. */
export function useSend(): {
  readonly isBusy: boolean
  /** Resolves with whether it worked. */
  readonly run: (done: string, work: (client: SanityClient) => Promise<unknown>) => Promise<boolean>
} {
  const client = useContent()
  const toast = useToast()
  const [isBusy, setBusy] = useState(false)
  const run = async (done: string, work: (client: SanityClient) => Promise<unknown>) => {
    setBusy(true)
    const problem = await work(client).then(() => undefined, errorWords)
    setBusy(false)
    toast.push(
      problem === undefined
        ? {status: 'success', title: done}
        : {status: 'error', title: 'Nothing was changed', description: problem},
    )
    return problem === undefined
  }
  return {isBusy, run}
}
