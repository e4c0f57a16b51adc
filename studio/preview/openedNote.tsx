import {Card, Stack, Text} from '@sanity/ui'
import {policyOf} from '../install/tags.ts'
import {CopyText} from '../parts/copyText.tsx'
import {Note} from '../parts/note.tsx'
import {serviceOrigin} from '../running.ts'
import type {Opened} from './opened.ts'

/** Says whether the page that was opened shows the preview, and what to check if not. */
export function OpenedNote({opened, publicId}: {opened: Opened; publicId: string}) {
  switch (opened.state) {
    case 'waiting':
      return <Note>Waiting for the page to show the preview…</Note>
    case 'shown':
      return <Note tone="positive">The page at {opened.origin} shows the preview.</Note>
    case 'failed':
      return (
        <Note tone="caution">Studio cannot tell whether the page shows the preview. {opened.problem}</Note>
      )
    case 'silent':
      return <Silent publicId={publicId} />
  }
}

function Silent({publicId}: {publicId: string}) {
  const causes = [
    'The page does not have the script tag. “Install” on the site’s page shows it.',
    `The tag on the page is for another site: this one’s public ID is ${publicId}.`,
    'The tag does not run: a consent banner, a tag manager or an ad blocker holds it back.',
    'The address is not the one of your site, or leads to another page, such as one to sign in.',
    'The page’s Content-Security-Policy blocks the service. It needs these sources too:',
  ]
  return (
    <Card border data-testid="preview-silent" padding={3} radius={2} role="status" tone="caution">
      <Stack gap={3}>
        <Text size={1}>No page has shown this preview yet. Check the tab that was opened:</Text>
        <Stack as="ul" gap={3} paddingLeft={4} style={{listStyle: 'disc'}}>
          {causes.map((cause) => (
            <Text as="li" key={cause} size={1} style={{display: 'list-item'}}>
              {cause}
            </Text>
          ))}
        </Stack>
        <CopyText name="preview-policy" text={policyOf(serviceOrigin)} />
      </Stack>
    </Card>
  )
}
