import {BoltIcon} from '@sanity/icons/Bolt'
import {ClipboardIcon} from '@sanity/icons/Clipboard'
import {Box, Card, Flex} from '@sanity/ui'
import {Link} from 'sanity/router'
import type {ToolOnPage} from '../../../schemas/diagnosis/page.ts'
import {useAddresses} from '../../parts/addresses.ts'
import {Muted} from '../../parts/note.tsx'
import {ToolState} from '../toolState.tsx'

const KINDS = {
  tool: {Icon: BoltIcon, title: 'Tool'},
  formTool: {Icon: ClipboardIcon, title: 'Form tool'},
}

/** A tool in the list of a page, which leads to its form. */
export function ToolRow(props: {tool: ToolOnPage; advice: readonly string[]; isFirst: boolean}) {
  const {tool, advice, isFirst} = props
  const addresses = useAddresses()
  const {Icon, title} = KINDS[tool.type]
  return (
    <Card as="li" borderTop={!isFirst} data-testid={`page-tool-${tool.name}`}>
      <Card as={Link} data-as="a" href={addresses.form(tool.type, tool.id)} padding={3}>
        <Flex gap={3}>
          <Box paddingY={1}>
            <Muted>
              <Icon aria-label={title} />
            </Muted>
          </Box>
          <ToolState advice={advice} title={tool.name} tool={tool} />
        </Flex>
      </Card>
    </Card>
  )
}
