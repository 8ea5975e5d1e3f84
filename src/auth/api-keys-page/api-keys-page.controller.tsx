import type { Request, Response } from 'express';
import { Get, Post, Req, Res } from '@nestjs/common';
import { may, type RequestCaller } from '#access';
import { forbidden } from '#errors';
import type { Operation } from '#operations';
import { sessionCaller } from '../accounts/session-caller.js';
import type { SignedIn } from '../accounts/session.js';
import { SessionsService } from '../accounts/sessions.service.js';
import { readQuery } from '../../platform/http/rest-input.js';
import { MembersRepository } from '../../tenancy/members/members.repository.js';
import { type Membership, MembershipsRepository } from '../../tenancy/members/memberships.repository.js';
import { OrganizationsRepository } from '../../tenancy/organizations/organizations.repository.js';
import type { Property } from '../../tenancy/properties/property.entity.js';
import { PropertiesService } from '../../tenancy/properties/properties.service.js';
import { type Fields, FormsService } from '../../platform/pages/forms.service.js';
import { messageOf } from '../../platform/pages/messages.js';
import { errorOf, PageCalls } from '../../platform/pages/page-calls.service.js';
import { renderPage } from '../../platform/pages/page.js';
import { PageController } from '../../platform/pages/page-controller.js';
import { pathWith, returnPath, SeeOther } from '../../platform/pages/see-other.js';
import type { ApiKey } from '../api-keys/api-key.entity.js';
import { createApiKey, revokeApiKey, rotateApiKey } from '../api-keys/api-keys.operations.js';
import { ApiKeysService } from '../api-keys/api-keys.service.js';
import { ApiKeysPage, type Happened } from './api-keys-page.views.js';
import { newKeySentences, readNewKey, typedInto } from './new-key-form.js';

type MadeApiKey = ApiKey & { key: string };

const path = '/account/api-keys';
const shownAtOnce = 100;

/** The context of the page: the person, the organization they chose, and their permissions there. */
interface Standing {
  signedIn: SignedIn;
  /** The organizations whose keys this person may manage. */
  memberships: Membership[];
  caller?: RequestCaller;
}

/** Back to the form with what was typed into it, for somebody who has to confirm who they are first. */
function wayBack(fields: Fields): string {
  const { org = '' } = fields;
  const back = pathWith(path, { ...(org && { org }), ...typedInto(fields) });
  return returnPath(back, path);
}

/** The organization's API keys for those whose role permits; the same rules as over the API. */
@PageController()
export class ApiKeysPageController {
  constructor(
    private readonly forms: FormsService,
    private readonly sessions: SessionsService,
    private readonly memberships: MembershipsRepository,
    private readonly members: MembersRepository,
    private readonly organizations: OrganizationsRepository,
    private readonly properties: PropertiesService,
    private readonly apiKeys: ApiKeysService,
    private readonly calls: PageCalls,
  ) {}

  @Get('account/api-keys')
  async show(@Req() request: Request, @Res() response: Response): Promise<void> {
    const { org, done, cursor, ...others } = readQuery(request.originalUrl);
    const standing = await this.standing(request, await this.sessions.require(request), org);
    await this.render(response, standing, { done: done as Happened | undefined, cursor, typed: typedInto(others) });
  }

  @Post('account/api-keys/create')
  create(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.answer(request, response, createApiKey, readNewKey);
  }

  @Post('account/api-keys/rotate')
  rotate(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.answer(request, response, rotateApiKey, ({ key_id: keyId }) => ({ keyId }));
  }

  @Post('account/api-keys/revoke')
  revoke(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.answer(request, response, revokeApiKey, ({ key_id: keyId }) => ({ keyId }));
  }

  /** Does what a form asks for, and shows the key that it made, if any: this once, and for a minute if it is sent again. */
  private async answer(
    request: Request,
    response: Response,
    operation: Operation,
    read: (fields: Fields) => object,
  ): Promise<void> {
    const signedIn = await this.sessions.require(request);
    const fields = await this.forms.read(request, signedIn);
    // A new key's form comes back filled in: it has more fields than a person can review in a list.
    const page = wayBack(fields);
    if (operation === createApiKey) await this.sessions.requireFresh(request, page);
    else this.sessions.requireFreshFor(request, signedIn, { fields, page });
    const standing = await this.standing(request, signedIn, fields.org);
    const { caller } = standing;
    if (!caller || caller.orgId !== fields.org) throw forbidden('Your role in this organization does not permit this.');
    const { answer, isWithheld } = await this.calls.perform(request, caller, operation, read(fields), fields);
    const error = answer.code === undefined ? undefined : errorOf(answer);
    if (error && ![400, 403, 409].includes(error.status)) throw error;
    if (!error && operation.showsSecret === undefined)
      throw new SeeOther(pathWith(path, { org: caller.orgId, done: 'revoked' }));
    await this.render(response, standing, {
      problem: error && messageOf(error, newKeySentences),
      made: error || isWithheld ? undefined : (answer.value as { data: MadeApiKey }).data,
      done: isWithheld ? 'made' : undefined,
      typed: error ? fields : undefined,
    });
  }

  private async standing(request: Request, signedIn: SignedIn, org: string | undefined): Promise<Standing> {
    const all = await this.memberships.of(signedIn.userId);
    const memberships = all.filter(({ permissions }) => permissions.includes('api-keys:manage'));
    const chosen = memberships.find(({ orgId }) => orgId === org) ?? memberships[0];
    return {
      signedIn,
      memberships,
      caller: chosen && sessionCaller(chosen, signedIn, request.context),
    };
  }

  private async render(
    response: Response,
    { signedIn, memberships, caller }: Standing,
    { cursor, ...told }: { problem?: string; typed?: Fields; done?: Happened; made?: MadeApiKey; cursor?: string },
  ): Promise<void> {
    const isOpen = caller && !caller.secondFactorMissing;
    const keys = isOpen && (await this.apiKeys.list(caller, { limit: shownAtOnce, cursor, sort: '-endsAt' }));
    const maxKeyDays = isOpen ? (await this.organizations.get(caller.orgId)).maxKeyDays : null;
    const makers =
      keys && may(caller, 'members:read') ? await this.makersOf(caller, keys.items) : new Map<string, string>();
    const properties = isOpen && may(caller, 'properties:read') ? await this.propertiesOf(caller) : [];
    renderPage(response, {
      title: 'API keys',
      status: told.problem ? 400 : 200,
      children: <ApiKeysPage {...{ signedIn, memberships, caller, keys, makers, properties, maxKeyDays }} {...told} />,
    });
  }

  /** The names of the members who created the keys, by their ids. */
  private async makersOf({ orgId }: RequestCaller, keys: readonly ApiKey[]): Promise<ReadonlyMap<string, string>> {
    const ids = [...new Set(keys.map(({ createdBy }) => createdBy).filter((id) => id !== null))];
    const makers = ids.length > 0 ? await this.members.findMany(orgId, ids) : [];
    return new Map(makers.map(({ id, name }) => [id, name]));
  }

  /** All of them: a form has no second page. */
  private async propertiesOf(caller: RequestCaller): Promise<Property[]> {
    const properties: Property[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.properties.list(caller, { limit: shownAtOnce, cursor, sort: 'name' });
      properties.push(...page.items);
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    return properties;
  }
}
