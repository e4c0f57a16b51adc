import {BoltIcon} from '@sanity/icons/Bolt'
import {DocumentIcon} from '@sanity/icons/Document'
import {LaunchIcon} from '@sanity/icons/Launch'
import {Button, Flex, Stack, Text} from '@sanity/ui'
import {Menu, MenuButton, MenuDivider, MenuGroup, MenuItem} from '@sanity/ui/menu'
import {uuid} from '@sanity/uuid'
import {type ComponentProps, type ComponentType, Fragment, useId, useMemo, useState} from 'react'
import {useDocumentValuePermissions} from 'sanity'
import {encodeJsonParams, Link} from 'sanity/router'
import {referenceToSite} from '../../making/siteReference.ts'
import {useSiteAddresses} from '../inputs/actions/useTool.ts'
import {useAddresses} from '../parts/addresses.ts'
import {Muted} from '../parts/layout.tsx'
import {lazily} from '../parts/lazily.tsx'
import {recipesFor} from '../structure/templates.ts'
import type {SiteSummary} from './siteSummary.ts'

const OpenApiDialog = lazily(
  async () => (await import('../inputs/actions/openApi/openApiDialog.tsx')).OpenApiDialog,
)
const PreviewDialog = lazily(async () => (await import('../preview/dialog.tsx')).PreviewDialog)

type Site = Pick<SiteSummary, 'id' | 'name'>

/** {@link MakeTool} for one site, if this person may make tools of it. */
export function MakeToolOf({site}: {site: Site}) {
  const document = useMemo(
    () => ({_id: 'drafts.new', _type: 'tool', site: referenceToSite(site.id)}),
    [site.id],
  )
  const [permissions] = useDocumentValuePermissions({document, permission: 'create'})
  return permissions?.granted === true ? <MakeTool sites={[site]} /> : null
}

/** A button with the ways to make a tool. If there are several sites, it asks for the site first. */
export function MakeTool({sites}: {sites: readonly Site[]}) {
  const [first, ...others] = sites
  const [shownSite, setShownSite] = useState<string>()
  const [apiSite, setApiSite] = useState<string>()
  const close = () => setShownSite(undefined)
  return (
    <>
      <MenuButton
        button={<Button data-testid="start-make-tool" icon={BoltIcon} text="Make a tool" />}
        id={useId()}
        menu={
          <Menu>
            {first !== undefined && others.length === 0 ? (
              <Ways onApi={setApiSite} onShow={setShownSite} siteId={first.id} />
            ) : (
              sites.map(({id, name}) => (
                <MenuGroup as={Submenu} data-as="button" key={id} text={name}>
                  <Ways onApi={setApiSite} onShow={setShownSite} siteId={id} />
                </MenuGroup>
              ))
            )}
          </Menu>
        }
        popover={{portal: true}}
      />
      {shownSite !== undefined && (
        <PreviewDialog onClose={close} onShown={close} siteId={shownSite} wanted="new tool" />
      )}
      {apiSite !== undefined && <OpenApi onClose={() => setApiSite(undefined)} siteId={apiSite} />}
    </>
  )
}

/**
 * The item that opens a submenu. Sanity's menu moves the focus to buttons and links only, and gives its own button
 * `aria-pressed`, which the role that a menu requires does not have.
 */
function Submenu(props: ComponentProps<'button'>) {
  return <button {...props} aria-haspopup="menu" role="menuitem" type="button" />
}

function OpenApi(props: {siteId: string; onClose: () => void}) {
  return <OpenApiDialog {...props} addresses={useSiteAddresses({site: referenceToSite(props.siteId)})} />
}

type WaysProps = {
  siteId: string
  onApi: (siteId: string) => void
  onShow: (siteId: string) => void
}

function Ways({siteId, onApi, onShow}: WaysProps) {
  const addresses = useAddresses()
  // Next to the tools of its site: an intent would open it in the list of all.
  const [id] = useState(() => uuid())
  return (
    <>
      <Way
        icon={LaunchIcon}
        line="Do it once on your page: a search, a form, or what is to be read."
        onClick={() => onShow(siteId)}
        title="Show it on a page"
      />
      <MenuDivider />
      <Way
        icon={DocumentIcon}
        line="Choose operations of your API."
        onClick={() => onApi(siteId)}
        title="From an OpenAPI file"
      />
      {(['tool', 'formTool'] as const).map((type) => (
        <Fragment key={type}>
          <MenuDivider />
          {recipesFor(type).map(({templateId, title, about, icon}) => (
            <Way
              as={Link}
              data-as="a"
              href={`${addresses.tool(siteId, type, id)},template=${templateId},${encodeJsonParams({siteId})}`}
              icon={icon}
              key={templateId}
              line={about}
              title={title}
            />
          ))}
        </Fragment>
      ))}
    </>
  )
}

type WayProps = ComponentProps<typeof MenuItem> & {icon: ComponentType; title: string; line: string}

/** A way to make a tool, with a line about it. */
function Way({icon: Icon, title, line, ...props}: WayProps) {
  return (
    <MenuItem aria-label={title} {...props}>
      <Flex align="center" gap={3} padding={1} style={{maxWidth: 'min(26em, calc(100vw - 5em))'}}>
        <Text size={1}>
          <Icon />
        </Text>
        <Stack flex={1} gap={2}>
          <Text size={1} weight="medium">
            {title}
          </Text>
          {line !== '' && <Muted>{line}</Muted>}
        </Stack>
      </Flex>
    </MenuItem>
  )
}
