import {Flex, Stack} from '@sanity/ui'
import {useState} from 'react'
import type {ObjectInputProps} from 'sanity'
import {taken} from '../../../schemas/document.ts'
import {TOOL_DECLARATIONS} from '../../../schemas/index.ts'
import type {Fields} from '../../../schemas/record.ts'
import {textOf} from '../../../schemas/rules/text.ts'
import {SmallButton} from '../../parts/layout.tsx'
import {lazily} from '../../parts/lazily.tsx'
import {siteIdOf, useSiteAddresses, useTool} from './useTool.ts'

const CopiedDialog = lazily(async () => (await import('./copiedDialog.tsx')).CopiedDialog)
const OpenApiDialog = lazily(async () => (await import('./openApi/openApiDialog.tsx')).OpenApiDialog)

/** A request of a tool, with ways to fill it in from what an editor has. */
export function RequestInput(props: ObjectInputProps) {
  const [dialog, setDialog] = useState<'copied' | 'openApi'>()
  const {tool, change} = useTool()
  const addresses = useSiteAddresses(tool)
  const close = () => setDialog(undefined)
  const fill = (fields: Fields) => {
    // What the editor has written stays.
    const kept = ['name', 'title', 'description'].filter((name) => textOf(tool[name]).trim() !== '')
    change(
      taken(
        TOOL_DECLARATIONS.tool.fields.filter(({name}) => !kept.includes(name)),
        fields,
      ),
    )
    close()
  }
  return (
    <Stack gap={4}>
      {props.readOnly !== true && (
        <Flex gap={2} wrap="wrap">
          <SmallButton onClick={() => setDialog('copied')} text="Fill in from a copied request" />
          <SmallButton onClick={() => setDialog('openApi')} text="Fill in from an OpenAPI file" />
        </Flex>
      )}
      {props.renderDefault(props)}
      {dialog === 'copied' && (
        <CopiedDialog addresses={addresses} onClose={close} onFill={fill} request={tool.request} />
      )}
      {dialog === 'openApi' && (
        <OpenApiDialog addresses={addresses} onClose={close} onFill={fill} siteId={siteIdOf(tool)} />
      )}
    </Stack>
  )
}
