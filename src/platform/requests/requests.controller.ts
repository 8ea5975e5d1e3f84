import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { GetRequest, GetUsage, ListRequests } from './request.dto.js';
import { getRequest, getUsage, listRequests } from './requests.operations.js';
import { RequestsService } from './requests.service.js';

@Controller()
export class RequestsController {
  constructor(private readonly requests: RequestsService) {}

  @Handles(listRequests) list(caller: Caller, input: ListRequests) {
    return this.requests.list(caller, input);
  }

  @Handles(getRequest) get(caller: Caller, input: GetRequest) {
    return this.requests.get(caller, input);
  }

  @Handles(getUsage) usage(caller: Caller, input: GetUsage) {
    return this.requests.usage(caller, input);
  }
}
