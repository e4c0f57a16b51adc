import {BoltIcon} from '@sanity/icons/Bolt'
import {ClipboardIcon} from '@sanity/icons/Clipboard'
import type {ToolType} from '../../schemas/documents.ts'
import {Muted} from './layout.tsx'

/** Tells tools from form tools. */
export function KindIcon({type}: {type: ToolType}) {
  return (
    <Muted>
      {type === 'tool' ? <BoltIcon aria-label="Tool" /> : <ClipboardIcon aria-label="Form tool" />}
    </Muted>
  )
}
