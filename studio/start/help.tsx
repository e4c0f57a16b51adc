import {Card, Stack} from '@sanity/ui'
import {Guides, Topics} from '../parts/guides.tsx'
import {Section} from '../parts/section.tsx'
import {isLake} from '../running.ts'

const STEPS = [
  [
    '1. Add a site',
    'A site is a website whose pages offer tools. Publish it, then give its tag to the person who edits your pages: you find it under the site, in “Install”.',
  ],
  [
    '2. Make a tool',
    'A tool is something that an AI agent can do on your page for a visitor, such as a search. Show on your page what it does, or start from a recipe. A form tool lets agents fill in a form that is on your page already.',
  ],
  [
    '3. Publish it',
    'Drafts are never on pages. After you publish, new visitors get the tool within a minute.',
  ],
  ['4. Check it', '“On a page” shows what each page offers, and why a tool is missing there.'],
] as const

/** How it works, in four steps, and the guides, which a lake serves. */
export function Help() {
  return (
    <Section title="How it works">
      <Card border padding={4} radius={2}>
        <Stack gap={4}>
          <Topics of={STEPS} />
          {isLake && <Guides />}
        </Stack>
      </Card>
    </Section>
  )
}
