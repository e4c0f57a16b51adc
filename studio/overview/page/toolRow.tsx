import {Box, Card, Flex} from '@sanity/ui'
import {Link} from 'sanity/router'
import type {ToolOnPage} from '../../../schemas/diagnosis/page.ts'
import {useAddresses} from '../../parts/addresses.ts'
import {KindIcon} from '../../parts/kindIcon.tsx'
import {ToolState} from '../toolState.tsx'

/** A tool in the list of a page, which leads to its form. */
export function ToolRow({tool, advice}: {tool: ToolOnPage; advice: readonly string[]}) {
  const addresses = useAddresses()
  return (
    <div data-testid={`page-tool-${tool.name}`}>
      <Card as={Link} data-as="a" href={addresses.form(tool.type, tool.id)}>
        <Flex gap={3}>
          <Box paddingY={1}>
            <KindIcon type={tool.type} />
          </Box>
          <ToolState advice={advice} title={tool.name} tool={tool} />
        </Flex>
      </Card>
    </div>
  )
}
