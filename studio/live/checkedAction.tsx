import type {SanityClient} from '@sanity/client'
import {useToast} from '@sanity/ui/toast'
import {type ReactNode, useState} from 'react'
import type {DocumentActionProps} from 'sanity'
import {menuDialog} from '../parts/dialog.tsx'
import {replacedAction} from '../parts/replacedAction.ts'
import {useContent} from './useContent.ts'

type Verb = 'delete' | 'unpublish' | 'publish'

const VERBS: readonly Verb[] = ['delete', 'unpublish', 'publish']

type ActionCheck<T> = {
  /** What speaks against it. Undefined: nothing does. */
  check: (client: SanityClient, props: DocumentActionProps) => Promise<T | undefined>
  /** What is said if that cannot be found out. */
  failed: string
  header: (verb: Verb) => string
  /** @param proceed does the action all the same */
  content: (
    found: T,
    verb: Verb,
    props: DocumentActionProps,
    dialog: {readonly close: () => void; readonly proceed: () => void},
  ) => ReactNode
}

/** Sanity's action that publishes, deletes or unpublishes, if nothing speaks against it. Otherwise, it shows a dialog. */
export function checkedAction<T>(name: string, {check, failed, header, content}: ActionCheck<T>) {
  return replacedAction(name, (action) => {
    const verb = VERBS.find((known) => known === action.action) ?? 'unpublish'
    return (props) => {
      const description = action(props)
      const client = useContent()
      const toast = useToast()
      const [found, setFound] = useState<T>()
      if (description === null) return null
      const close = () => setFound(undefined)
      const proceed = () => {
        close()
        description.onHandle?.()
      }
      const handle = async () => {
        try {
          const now = await check(client, props)
          if (now === undefined) description.onHandle?.()
          else setFound(now)
        } catch {
          toast.push({status: 'error', title: failed})
        }
      }
      return {
        ...description,
        onHandle: () => void handle(),
        ...(found !== undefined && {
          dialog: menuDialog(header(verb), content(found, verb, props, {close, proceed}), close),
        }),
      }
    }
  })
}
