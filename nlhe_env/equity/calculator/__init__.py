"""The equity calculator for ranges, by enumeration or sampling."""
