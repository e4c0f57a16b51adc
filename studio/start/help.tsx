import {Card, Heading, Stack} from '@sanity/ui'
import {Guides} from '../parts/guides.tsx'
import {Muted, Strong} from '../parts/note.tsx'
import {isLake} from '../running.ts'

const STEPS = [
  {
    title: '1. Add a site',
    text: 'A site is a website whose pages offer tools. Publish it, then give its tag to the person who edits your pages: you find it under the site, in “Install”.',
  },
  {
    title: '2. Make a tool',
    text: 'A tool is something that an AI agent can do on your page for a visitor, such as a search. Show on your page what it does, or start from a recipe. A form tool lets agents fill in a form that is on your page already.',
  },
  {
    title: '3. Publish it',
    text: 'Drafts are never on pages. After you publish, new visitors get the tool within a minute.',
  },
  {
    title: '4. Check it',
    text: '“On a page” shows what each page offers, and why a tool is missing there.',
  },
]

/** How it works, in four steps, and the guides, which a lake serves. */
export function Help() {
  return (
    <Stack gap={4}>
      <Heading as="h2" size={1}>
        How it works
      </Heading>
      <Card border padding={4} radius={2}>
        <Stack gap={4}>
          {STEPS.map(({title, text}) => (
            <Stack gap={3} key={title}>
              <Strong>{title}</Strong>
              <Muted>{text}</Muted>
            </Stack>
          ))}
          {isLake && <Guides />}
        </Stack>
      </Card>
    </Stack>
  )
}
