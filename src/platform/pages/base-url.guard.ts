import type { Request } from 'express';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config/app.config.js';
import { CONFIG } from '../config/app.config.js';
import { SeeOther } from './see-other.js';

/** A page opened on another host is shown on BASE_URL: cookies and passkeys belong to that one name. */
@Injectable()
export class BaseUrlGuard implements CanActivate {
  constructor(@Inject(CONFIG) private readonly config: Config) {}

  canActivate(host: ExecutionContext): boolean {
    const request = host.switchToHttp().getRequest<Request>();
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const { baseUrl } = this.config;
    if (isRead && request.host !== new URL(baseUrl).host) throw new SeeOther(baseUrl + request.originalUrl);
    return true;
  }
}
