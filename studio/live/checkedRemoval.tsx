import type {SanityClient} from '@sanity/client'
import {useToast} from '@sanity/ui/toast'
import {type ReactNode, useState} from 'react'
import type {DocumentActionProps} from 'sanity'
import {menuDialog} from '../parts/dialog.tsx'
import {replacedAction} from '../parts/replacedAction.ts'
import {useContent} from './useContent.ts'

type Removal = 'delete' | 'unpublish'

type RemovalCheck<T> = {
  /** What speaks against it. Undefined: nothing does. */
  check: (client: SanityClient, props: DocumentActionProps) => Promise<T | undefined>
  /** What is said if that cannot be found out. */
  failed: string
  header: (verb: Removal) => string
  content: (found: T, verb: Removal, props: DocumentActionProps, close: () => void) => ReactNode
}

/** Sanity's action that deletes or unpublishes, if nothing speaks against it. Otherwise, it shows a dialog. */
export function checkedRemoval<T>(name: string, {check, failed, header, content}: RemovalCheck<T>) {
  return replacedAction(name, (action) => {
    const verb = action.action === 'delete' ? 'delete' : 'unpublish'
    return (props) => {
      const description = action(props)
      const client = useContent()
      const toast = useToast()
      const [found, setFound] = useState<T>()
      if (description === null) return null
      const close = () => setFound(undefined)
      const proceed = async () => {
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
        onHandle: () => void proceed(),
        ...(found !== undefined && {
          dialog: menuDialog(header(verb), content(found, verb, props, close), close),
        }),
      }
    }
  })
}
