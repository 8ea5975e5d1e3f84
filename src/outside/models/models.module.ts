import { Module } from '@nestjs/common';
import { EventsModule } from '../../platform/events/events.module.js';
import { Metrics } from '../../platform/metrics/metrics.js';
import { OrganizationsModule } from '../../tenancy/organizations.module.js';
import { CountedModel } from './counted-model.js';
import { ModelJobKinds } from './job-kind.js';
import { LanguageModel } from './language-model.js';
import { ModelJobRunner } from './model-job-runner.js';
import { ModelJobsController } from './model-jobs.controller.js';
import { ModelJobsRepository } from './model-jobs.repository.js';
import { ModelJobsService } from './model-jobs.service.js';
import { OpenAiCompatibleModel } from './openai-compatible/openai-compatible.model.js';

/** The base for features, which register the kinds of work that a language model does for them. */
@Module({
  imports: [EventsModule, OrganizationsModule],
  controllers: [ModelJobsController],
  providers: [
    OpenAiCompatibleModel,
    {
      provide: LanguageModel,
      inject: [OpenAiCompatibleModel, Metrics],
      useFactory: (model: LanguageModel, metrics: Metrics) => new CountedModel(model, metrics),
    },
    ModelJobKinds,
    ModelJobRunner,
    ModelJobsRepository,
    ModelJobsService,
  ],
  exports: [ModelJobKinds, ModelJobsService],
})
export class ModelsModule {}
