import {Stack} from '@sanity/ui'
import {useState} from 'react'
import type {ObjectInputProps} from 'sanity'
import {taken} from '../../../schemas/document.ts'
import {TOOL_DECLARATIONS} from '../../../schemas/index.ts'
import type {Fields} from '../../../schemas/record.ts'
import {textOf} from '../../../schemas/rules/text.ts'
import {SmallButton} from '../../parts/layout.tsx'
import {lazily} from '../../parts/lazily.tsx'
import {useSiteAddresses, useTool} from './useTool.ts'

const CopiedDialog = lazily(async () => (await import('./copiedDialog.tsx')).CopiedDialog)

/** A request of a tool, which can be filled in from a copied one. */
export function RequestInput(props: ObjectInputProps) {
  const [isOpen, setOpen] = useState(false)
  const {tool, change} = useTool()
  const addresses = useSiteAddresses(tool)
  const fill = (fields: Fields) => {
    // What the editor has written stays.
    const kept = ['name', 'title', 'description'].filter((name) => textOf(tool[name]).trim() !== '')
    change(
      taken(
        TOOL_DECLARATIONS.tool.fields.filter(({name}) => !kept.includes(name)),
        fields,
      ),
    )
    setOpen(false)
  }
  return (
    <Stack gap={4}>
      {props.readOnly !== true && (
        <SmallButton onClick={() => setOpen(true)} text="Fill in from a copied request" />
      )}
      {props.renderDefault(props)}
      {isOpen && (
        <CopiedDialog
          addresses={addresses}
          onClose={() => setOpen(false)}
          onFill={fill}
          request={tool.request}
        />
      )}
    </Stack>
  )
}
