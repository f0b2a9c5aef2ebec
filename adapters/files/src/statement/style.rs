//! How the page of a statement looks: light, for A4.

/// The style sheet of the page.
pub(super) const STYLE: &str = "\
body{font:10.5pt/1.45 system-ui,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;margin:2rem auto;max-width:62rem;padding:0 1rem;\
color:#15181b;background:#fff}\
h1{font-size:1.55rem;line-height:1.2;margin:0 0 1rem}\
h2{font-size:1.1rem;margin:1.9rem 0 .5rem;break-after:avoid}\
table{border-collapse:collapse;width:100%}\
th,td{padding:.28rem .6rem .28rem 0;text-align:left;vertical-align:top;border-bottom:1px solid #d5dadd}\
th{font-weight:600;font-size:.86em;color:#444c52}\
thead th{border-bottom:1.5px solid #15181b}\
th.n,td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\
th.n,td.n,td:last-child{padding-right:0}\
td.n+td,th.n+th{padding-left:.8rem}\
td.a{color:#5c666d;font-style:italic}\
td.w{overflow-wrap:anywhere;white-space:pre-line}\
tr.t td{font-weight:600;border-top:1.5px solid #15181b}\
table.f th{width:24%;font-size:1em;color:#15181b}\
td.x{text-align:right;white-space:nowrap;width:1%;padding-left:.8rem}\
td.x a{font-size:.78em;color:#1d5d8f;text-decoration:none}\
p.e{font-size:.86em;color:#444c52;margin:.45rem 0 0;overflow-wrap:anywhere}\
ol.q{font-size:.8em;padding-left:2.4rem;color:#444c52;overflow-wrap:anywhere}\
ol.q a{color:#1d5d8f;text-decoration:none}\
thead{display:table-header-group}tr{break-inside:avoid}\
@page{size:A4;margin:16mm 14mm}\
@media print{body{margin:0;max-width:none;padding:0;font-size:8.6pt}a{color:inherit}}";
