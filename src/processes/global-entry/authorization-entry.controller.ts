import { All, Controller, Header, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { readOAuthToken, type Region } from '#regions';
import { endpoints } from '../../auth/oauth/endpoints.js';
import { readBytes } from '../../platform/http/json-body.js';
import { Cells } from './cells.js';

const maxBytes = 65_536;

/**
 * The authorization server at MCP_URL, except its pages. Codes and tokens name their region; other requests, such as
 * registrations, go to the nearest cell, which also rejects credentials that are not ours.
 */
@Controller()
export class AuthorizationEntryController {
  constructor(private readonly cells: Cells) {}

  /** Pages of any origin may read the entry's own errors, like the responses of a cell. */
  @All([endpoints.token, endpoints.revocation, endpoints.registration, endpoints.jwks])
  @Header('Access-Control-Allow-Origin', '*')
  async forward(@Req() request: Request, @Res() response: Response): Promise<void> {
    const body = await readBytes(request, maxBytes);
    const cell = this.cells.find(regionNamedIn(body));
    await (cell ? cell.answer(request, response, body) : this.cells.answerByNearest(request, response, body));
  }
}

function regionNamedIn(form: Buffer): Region | undefined {
  const fields = new URLSearchParams(form.toString('utf8'));
  const named = ['code', 'refresh_token', 'token'].map((name) => readOAuthToken(fields.get(name) ?? '')?.region);
  return named.find((region) => region !== undefined);
}
