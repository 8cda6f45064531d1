//! Resources as a client asks for them.

use rmcp::RoleServer;
use rmcp::model::{
    ErrorData, ListResourceTemplatesResult, ListResourcesResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ReadResourceResult, ResourceContents, ResourceTemplate,
};
use rmcp::service::RequestContext;

use crate::resources::read::read;
use crate::resources::template::{MIME_TYPE, TEMPLATES, TemplateSpec};
use crate::resources::uri::ResourceUri;
use crate::server::refusals::{guarded, one_page, refused_resource};
use crate::server::state::{Server, no_token};
use crate::tools::icon::icons;
use crate::tools::revision::Revision;

impl Server {
    /// Always empty: a list of sessions would cost a request to GitLab whenever a client connects.
    /// The templates and the completion of their variable lead to every session.
    pub(super) fn resource_list(
        request: Option<PaginatedRequestParams>,
    ) -> Result<ListResourcesResult, ErrorData> {
        one_page(request)?;
        Ok(ListResourcesResult::with_all_items(Vec::new()))
    }

    pub(super) fn template_list(
        &self,
        request: Option<PaginatedRequestParams>,
        context: &RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        one_page(request)?;
        let revision = Revision::of(context);
        let is_on = self.settings.scope.admit_browsing().is_ok();
        let templates = TEMPLATES.iter().filter(|_| is_on).map(|spec| template(spec, revision));
        Ok(ListResourceTemplatesResult::with_all_items(templates.collect()))
    }

    pub(super) async fn resource(
        &self,
        request: ReadResourceRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let uri = request.uri;
        let work = async {
            self.settings.scope.admit_browsing()?;
            let resource = ResourceUri::parse(&uri)?;
            let caller = self.callers.of(context).ok_or_else(no_token)?;
            let now = (self.settings.clock)();
            read(&*caller.gateway, &self.settings.scope, resource, now).await
        };
        let text = guarded(work, self.call_bound, context).await;
        let text = text.map_err(|refusal| refused_resource(&refusal, &uri))?;
        let contents = ResourceContents::TextResourceContents {
            uri,
            mime_type: Some(MIME_TYPE.to_owned()),
            text,
            meta: None,
        };
        Ok(ReadResourceResult::new(vec![contents]).into())
    }
}

fn template(spec: &TemplateSpec, revision: Revision) -> ResourceTemplate {
    let mut template = ResourceTemplate::new(spec.uri_template, spec.name)
        .with_description(spec.description)
        .with_mime_type(MIME_TYPE);
    template.title = revision.has_structured().then(|| spec.title.to_owned());
    template.icons = icons(revision);
    template
}
